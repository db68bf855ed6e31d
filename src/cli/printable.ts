/** A text without anything that a terminal would take for a command: what comes from a file must not steer it. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}
