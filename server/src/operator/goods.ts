import { parse } from 'csv-parse/sync'
import { CommandMistake } from './mistake.ts'

/** A product with its items, as a file tells of it. */
export interface Goods {
  /** Its first line in the file, for messages. */
  line: number
  name: string
  cost: number
  description: string | null
  visibility: 0 | 1 | 2
  tags: string[]
  minimumQuantity: number
  maximumQuantity: number
  items: string[]
}

type Row = Record<string, string>

const itemCharactersMax = 65_536

interface Form {
  name: string
  columns: string[]
  read: (row: Row, line: number, decimals: number) => Goods
}

/** Each known by the columns that its head line must have; a column more is ignored. */
const forms: Form[] = [
  {
    name: 'title and serials',
    columns: ['title', 'price', 'serials'],
    read: (row, line, decimals) => ({
      ...basics({ line, decimals }, row['title'], row['price'], row['description']),
      visibility: isYes(row['unlisted']) ? 1 : 0,
      minimumQuantity: wholeNumber(line, row['minimum quantity'], 1),
      maximumQuantity: wholeNumber(line, row['maximum quantity'], -1),
      items: split(row['serials'], row['serials']?.includes('\n') ? /\n/ : /,/),
    }),
  },
  {
    name: 'one row a key',
    columns: ['product name', 'product price', 'key'],
    read: (row, line, decimals) => ({
      ...basics({ line, decimals }, row['product name'], row['product price'], row['product description']),
      items: split(row['key'], /\n/),
    }),
  },
  {
    name: 'Keystall',
    columns: ['name', 'cost'],
    read: (row, line, decimals) => ({
      ...basics({ line, decimals }, row['name'], row['cost'], row['description']),
      visibility: visibilityOf(line, row['visibility']),
      tags: split(row['tags'], /,/),
      minimumQuantity: wholeNumber(line, row['minimumquantity'], 1),
      maximumQuantity: wholeNumber(line, row['maximumquantity'], -1),
      items: split(row['items'], /\n/),
    }),
  },
]

/** Reads a CSV of any known form. Lines of one name are one product. Prices have as many decimals as the currency. */
export function readGoods(text: string, decimals: number): { form: string; goods: Goods[] } {
  const [head = [], ...lines] = records(text)
  const columns = head.map((column) => column.trim().toLowerCase())
  const form = forms.find((each) => each.columns.every((column) => columns.includes(column)))
  if (!form) {
    const known = forms.map(({ name, columns: needed }) => `${name} (${needed.join(', ')})`).join('; ')
    throw new CommandMistake(`The head line is of no known form: ${known}`)
  }
  const byName = new Map<string, Goods>()
  for (const [index, cells] of lines.entries()) {
    const row = Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']))
    const goods = form.read(row, index + 2, decimals)
    const long = goods.items.find((item) => item.length > itemCharactersMax)
    if (long) throw new CommandMistake(`Record ${goods.line}: an item has over ${itemCharactersMax} characters`)
    const known = byName.get(goods.name)
    if (known) for (const item of goods.items) known.items.push(item)
    else byName.set(goods.name, goods)
  }
  return { form: form.name, goods: [...byName.values()] }
}

function records(text: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter: delimiterOf(text), skip_empty_lines: true, relax_column_count: true })
  } catch (error) {
    throw new CommandMistake(`The file is not CSV: ${error instanceof Error ? error.message : error}`)
  }
}

/** Where a comma stands between whole and part, spreadsheets write semicolons between cells. */
function delimiterOf(text: string): string {
  const [head = ''] = text.split('\n', 1)
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: head.split(mark).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.mark ?? ','
}

/** One thousand or one, that depends on who wrote it: three digits behind the mark are taken where a currency has three. */
function costOf({ line, decimals }: Place, text: string): number {
  const [, amount, part = ''] = /^[^\d-]*(\d+(?:[.,](\d{1,3}))?)\D*$/.exec(text.trim()) ?? []
  if (amount === undefined) throw new CommandMistake(`Record ${line}: ${JSON.stringify(text)} is no price`)
  if (part.length === 3 && decimals < 3) {
    throw new CommandMistake(`Record ${line}: ${JSON.stringify(text)} can be read in two ways: write 1000 or 1.00`)
  }
  return Number(amount.replace(',', '.'))
}

interface Place {
  line: number
  decimals: number
}

function basics(place: Place, name = '', cost = '', description = ''): Goods {
  return {
    line: place.line,
    name: name.trim(),
    cost: costOf(place, cost),
    description: description.trim() === '' ? null : description,
    visibility: 0,
    tags: [],
    minimumQuantity: 1,
    maximumQuantity: -1,
    items: [],
  }
}

function split(text: string | undefined, separator: RegExp): string[] {
  return (text ?? '')
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)
}

function isYes(text = ''): boolean {
  return /^(1|true|yes|y)$/i.test(text.trim())
}

function wholeNumber(line: number, text: string | undefined, fallback: number): number {
  if (text === undefined || text.trim() === '') return fallback
  if (!/^-?\d+$/.test(text.trim()))
    throw new CommandMistake(`Record ${line}: ${JSON.stringify(text)} is no whole number`)
  return Number(text)
}

function visibilityOf(line: number, text = ''): 0 | 1 | 2 {
  const names = ['public', 'unlisted', 'private'] as const
  const word = text.trim().toLowerCase()
  const found = ([0, 1, 2] as const).find((number) => word === names[number] || word === String(number))
  if (word !== '' && found === undefined) throw new CommandMistake(`Record ${line}: there is no visibility ${text}`)
  return found ?? 0
}
