/*
 * Tables as text, for spreadsheets. Lists for programs are JSON.
 */

export const csvType = 'text/csv; charset=utf-8; header=present'

/** The beginning of every CSV: without a byte order mark, Excel reads it in the code page of its computer. */
export const csvMark = '\ufeff'

/** Returns a line as defined by RFC 4180 2: it ends with CRLF, and cells with special characters are quoted. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const harmless = text.replace(beginsFormula, "'").replace(beginsFormulaInside, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * Cells that a spreadsheet would run as a formula get a leading apostrophe, which makes them text. The full-width
 * signs come from East Asian keyboards. https://owasp.org/www-community/attacks/CSV_Injection
 */
const beginsFormula = /^(?=[=+\-@\t\r\n＝＋－＠])/

/**
 * The same behind separators within a cell: in many countries, spreadsheets divide the lines of a CSV at semicolons, and do
 * not see the quotes around the cell then.
 */
const beginsFormulaInside = /(?=[=+\-@＝＋－＠])(?<=[;\r\n] *"*)/g

/**
 * Returns the text of a table that a person saved: UTF-16 or UTF-8 by its byte order mark, otherwise UTF-8, otherwise the
 * code page of Western European spreadsheets. Lines end with LF.
 */
export function tableText(content: Uint8Array): string {
  return decoded(content)
    .replace(/^\ufeff+/, '')
    .replace(/\r\n?/g, '\n')
}

function decoded(content: Uint8Array): string {
  const [first, second] = content
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
