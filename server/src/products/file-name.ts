const nameCharactersMax = 200

/** What a buyer is shown and offered to save: Unicode stays, folders and whatever is not seen go. */
export function friendlyNameOf(fileName: string): string {
  const last = fileName.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const seen = last.replace(/[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/gu, '').trim()
  const name = shortened(seen.replace(/^\.+(?=\.|$)/, ''))
  return name === '' ? 'file' : name
}

/** The ending tells what the file is: it stays when the name is cut. */
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= nameCharactersMax) return name
  const [ending = ''] = /\.[\p{L}\p{N}]{1,10}$/u.exec(name) ?? []
  return characters.slice(0, nameCharactersMax - [...ending].length).join('') + ending
}
