/** The texts of all elements that hold nothing else, by their names; nothing for what is no XML. The first of a name counts. */
export async function xmlTexts(text: string): Promise<ReadonlyMap<string, string>> {
  // Loaded by those who need it: most agents never ask Amazon for a role.
  const { SaxesParser } = await import('saxes')
  const texts = new Map<string, string>()
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  let open = ''
  parser.on('opentag', () => void (open = ''))
  parser.on('text', (more) => void (open += more))
  parser.on('cdata', (more) => void (open += more))
  parser.on('closetag', ({ name }) => {
    if (!texts.has(name)) texts.set(name, open.trim())
    open = ''
  })
  try {
    parser.write(text).close()
  } catch {
    return new Map()
  }
  return texts
}
