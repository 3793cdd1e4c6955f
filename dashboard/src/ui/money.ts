const formats = new Map<string, Intl.NumberFormat>()

/** Money always with its currency, in the reader's own way of writing it. */
export function formatMoney(amount: number, currency: string): string {
  let format = formats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
    formats.set(currency, format)
  }
  return format.format(amount)
}
