import { type Run, runsOf, type Weight } from './typeface.ts'

export interface Style {
  size: number
  weight?: Weight
  colour?: string
  align?: 'left' | 'right'
}

const margin = 56
const ink = '#211f1e'
const lineHeight = 1.45

/** A4 pages, written from top to bottom. */
export class Sheet {
  readonly left = margin
  readonly width: number
  y = margin
  readonly #document: PDFKit.PDFDocument
  readonly #done: Promise<Buffer>
  readonly #registered = new Set<string>()

  /** What draws is read when it is first needed: it takes a tenth of the time in which the server starts. */
  static async open({ title, author, language }: { title: string; author: string; language: string }): Promise<Sheet> {
    const { default: PDFDocument } = await import('pdfkit')
    const document = new PDFDocument({
      size: 'A4',
      margin,
      // The fourteen fonts that every reader has know no Cyrillic.
      font: '',
      lang: language,
      displayTitle: true,
      info: { Title: title, Author: author, Producer: 'Keystall', Creator: 'Keystall' },
    })
    return new Sheet(document)
  }

  private constructor(document: PDFKit.PDFDocument) {
    this.#document = document
    this.width = this.#document.page.width - 2 * margin
    this.#done = new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      this.#document.on('data', (part: Buffer) => parts.push(part))
      this.#document.on('end', () => resolve(Buffer.concat(parts)))
      this.#document.on('error', reject)
    })
  }

  /** Begins a page where the wanted height would not fit. True when it did. */
  makeRoom(height: number): boolean {
    if (this.y + height <= this.#document.page.height - margin) return false
    this.#document.addPage()
    this.y = margin
    return true
  }

  /** How high the text will be. */
  async heightOf(text: string, width: number, style: Style): Promise<number> {
    return (await this.#wrap(text, width, style)).length * style.size * lineHeight
  }

  /** Writes at the present height, in lines as wide as they may be, and answers how high it became. */
  async write(text: string, { x = this.left, width = this.width, ...style }: Style & { x?: number; width?: number }) {
    const lines = await this.#wrap(text, width, style)
    for (const [number, line] of lines.entries()) {
      const indent = style.align === 'right' ? width - this.#widthOf(line, style.size) : 0
      this.#draw(line, x + indent, this.y + number * style.size * lineHeight, style)
    }
    return lines.length * style.size * lineHeight
  }

  rule(colour = '#d9d4cd'): void {
    this.#document
      .moveTo(this.left, this.y)
      .lineTo(this.left + this.width, this.y)
      .lineWidth(0.75)
      .stroke(colour)
  }

  end(): Promise<Buffer> {
    this.#document.end()
    return this.#done
  }

  async #wrap(text: string, width: number, { size, weight = 400 }: Style): Promise<Run[][]> {
    const lines: Run[][] = [[]]
    let used = 0
    for (const word of wordsOf(text)) {
      const runs = await runsOf(word, weight)
      const needed = this.#widthOf(runs, size)
      if (used > 0 && used + needed > width && word.trim() !== '') {
        lines.push([])
        used = 0
      }
      lines.at(-1)?.push(...runs)
      used += needed
    }
    return lines
  }

  #widthOf(runs: readonly Run[], size: number): number {
    return runs.reduce((sum, { cut, text }) => {
      this.#use(cut)
      return sum + this.#document.fontSize(size).widthOfString(text)
    }, 0)
  }

  #draw(line: readonly Run[], x: number, y: number, { size, colour = ink }: Style): void {
    let place = x
    for (const run of line) {
      const width = this.#widthOf([run], size)
      this.#document.fillColor(colour).text(run.text, place, y, { lineBreak: false })
      place += width
    }
  }

  #use({ name, bytes }: Run['cut']): void {
    if (!this.#registered.has(name)) this.#document.registerFont(name, bytes)
    this.#registered.add(name)
    this.#document.font(name)
  }
}

const wordLengthMax = 24
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Where a line may end: between words, also of scripts without spaces, and inside what is too long for a line. */
function wordsOf(text: string): string[] {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return [...segmenter.segment(plain)].flatMap(({ segment }) => {
    const letters = [...segment]
    return Array.from({ length: Math.ceil(letters.length / wordLengthMax) }, (_, part) =>
      letters.slice(part * wordLengthMax, (part + 1) * wordLengthMax).join(''),
    )
  })
}
