import { type Html, html } from '../html.ts'

/** Says nothing of any store: whoever asks has named none that is open. */
export function notFoundPage(): Html {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Nothing here</title></head>
<body><main><h1>Nothing here</h1><p>There is no store at this address, or it is closed.</p></main></body>
</html>`
}
