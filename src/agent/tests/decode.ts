/** Decodes an XML file as it comes: by its first bytes, then by what its declaration says, else as UTF-8. */
export function xmlDecoder(): { readonly write: (bytes: Uint8Array) => string; readonly end: () => string } {
  let decoder: TextDecoder | undefined
  return {
    write(bytes) {
      decoder ??= decoderFor(bytes)
      return decoder.decode(bytes, { stream: true })
    },
    end: () => decoder?.decode() ?? '',
  }
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be')
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, named = 'utf-8'] = /^<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(start) ?? []
  try {
    return new TextDecoder(named)
  } catch {
    return new TextDecoder()
  }
}
