export interface MailContent {
  readonly title: string
  /** Text, or something to copy, such as a key, shown as it is. */
  readonly paragraphs: readonly (string | { readonly code: string })[]
  readonly button?: { readonly label: string; readonly url: string }
  /** Who sent this and why. */
  readonly footer: string
  /** Whose name stands on top; ours when there is none. */
  readonly sender?: string
  /** English when left out. */
  readonly language?: string
}

/** One message as plain text and as HTML. Everything that comes in is text and stays text. */
export function layout(content: MailContent): { text: string; html: string } {
  return { text: plainLayout(content), html: htmlLayout(content) }
}

function plainLayout({ title, paragraphs, button, footer }: MailContent): string {
  return [
    title,
    ...paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.code)),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    `-- \n${footer}`,
  ].join('\n\n')
}

const teal = '#0c7f75'
const font = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const mono = "font-family:'JetBrains Mono',ui-monospace,Menlo,Consolas,monospace"

const darkStyle = `
  @media (prefers-color-scheme: dark) {
    .page { background: #161514 !important }
    .card { background: #211f1e !important; border-color: #383533 !important }
    .ink { color: #f2efec !important }
    .soft { color: #a8a29c !important }
    .code { background: #161514 !important; border-color: #383533 !important; color: #f2efec !important }
    .mark { color: #5cc9bb !important }
    .button { background: #5cc9bb !important; color: #10201e !important }
  }`

function htmlLayout({ title, paragraphs, button, footer, sender, language = 'en' }: MailContent): string {
  return `<!doctype html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(title)}</title>
<style>${darkStyle}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f4f1">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f6f4f1">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="mark" style="${font};padding:0 4px 16px;font-size:16px;font-weight:600;color:${teal}">${wordmark(sender)}</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e5e0da;border-radius:10px;padding:32px">
<h1 class="ink" style="${font};margin:0 0 16px;font-size:20px;line-height:1.2;font-weight:600;color:#211f1e">${escape(title)}</h1>
${paragraphs.map(htmlParagraph).join('\n')}
${button ? htmlButton(button) : ''}
</td></tr>
<tr><td class="soft" style="${font};padding:16px 4px 0;font-size:12px;line-height:1.5;color:#6f6a64">${lines(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`
}

function wordmark(sender: string | undefined): string {
  return sender === undefined ? '&#128273;&nbsp;Keystall' : escape(sender)
}

function htmlParagraph(paragraph: string | { readonly code: string }): string {
  if (typeof paragraph === 'string') {
    return `<p class="ink" style="${font};margin:0 0 16px;font-size:16px;line-height:1.5;color:#383533">${lines(paragraph)}</p>`
  }
  const box = 'margin:0 0 16px;padding:12px 16px;background:#f6f4f1;border:1px solid #e5e0da;border-radius:6px'
  const ink = 'font-size:14px;line-height:1.5;color:#211f1e;white-space:pre-wrap;word-break:break-word'
  return `<pre class="code" style="${mono};${box};${ink}">${escape(paragraph.code)}</pre>`
}

function htmlButton({ label, url }: { label: string; url: string }): string {
  const shape = 'display:inline-block;padding:12px 20px;border-radius:6px;text-decoration:none'
  const ink = `background:${teal};color:#ffffff;font-size:16px;font-weight:600;line-height:1.2`
  return `<p style="margin:8px 0 0"><a class="button" href="${escape(safeUrl(url))}" style="${font};${shape};${ink}">${escape(label)}</a></p>`
}

/** A button leads to a page, never to a script. */
function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : 'about:blank'
}

const lines = (text: string) => escape(text).replaceAll('\n', '<br>')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
