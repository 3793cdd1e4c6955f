/** Which are read, kept, or passed on. */
export function* badHeaders(): Generator<[string, Record<string, string>]> {
  const long = 'x'.repeat(8000)
  for (const text of [
    '',
    'Bearer',
    'Bearer ',
    'bearer x y',
    `Bearer ${long}`,
    'Basic eDp4',
    'Bearer é',
    '{}',
    'Bearer __proto__',
  ]) {
    yield [`Authorization: ${text.slice(0, 20)}`, { authorization: latin(text) }]
  }
  const headers: [string, string[]][] = [
    ['idempotency-key', ['', ' ', 'x'.repeat(255), 'x'.repeat(256), latin('é\u0080'), '__proto__', "a'--"]],
    ['range', ['bytes=', 'bytes=5-1', 'bytes=-0', 'bytes=0-99999999999999999999', 'bytes=0-0,2-3', 'items=0-1', long]],
    ['if-none-match', ['*', '"', long, 'W/"x"']],
    ['if-range', ['"x"', 'yesterday']],
    ['x-forwarded-for', ['127.0.0.1', '10.0.0.1, ::1, nonsense', long]],
    ['x-forwarded-host', ['evil.example', long]],
    ['x-forwarded-proto', ['javascript']],
    ['forwarded', ['for=127.0.0.1;host=evil.example;proto=https']],
    ['origin', ['null', 'https://evil.example', long]],
    ['user-agent', [long, latin('é\u00ff'), '<script>alert(1)</script>', "a'--"]],
    ['accept-language', [long, '*', 'xx-'.repeat(500), 'de;q=nan', '__proto__', latin('é')]],
    [
      'content-type',
      ['text/plain', 'application/json\ta', 'application/json; charset=utf-16', 'multipart/form-data', long],
    ],
    ['content-encoding', ['gzip', 'identity', 'br, gzip']],
    ['expect', ['100-continue', 'the-unexpected']],
    ['x-order-key', ['', 'x', long, "a'--", latin('é')]],
    ['x-http-method-override', ['DELETE']],
    ['cookie', [long, 'keystall_session=x; keystall_session=y', '=;=;', latin('é=é')]],
    ['traceparent', ['00-x-y-z', long]],
    ['xoauth2-client-secret', ['', 'x', long]],
    ['connection', ['upgrade, close']],
    ['upgrade', ['h2c', 'websocket']],
    ['accept', ['', 'text/x', long]],
    ['last-event-id', ['-1', 'x', '99999999999999999999']],
  ]
  for (const [name, texts] of headers) {
    for (const text of texts) yield [`${name}: ${text.slice(0, 20)}`, { [name]: text }]
  }
}

/** Node sends header values byte by byte. */
function latin(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
