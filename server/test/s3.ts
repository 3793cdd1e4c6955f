import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** As much of S3 as we speak; signatures are not looked at. */
export interface S3 {
  url: string
  readonly blobs: Map<string, Buffer>
  /** Parts of uploads that were begun and not ended. */
  readonly uploads: Map<string, Buffer[]>
  /** `gone`: connections break. `failing`: 500. `silent`: no answer comes. */
  mode: 'well' | 'gone' | 'failing' | 'silent'
  /** How many requests came while it was not well. */
  unserved: number
  close(): void
}

export async function startS3(): Promise<S3> {
  const blobs = new Map<string, Buffer>()
  const uploads = new Map<string, Buffer[]>()
  const server = createServer(async (request, response) => {
    if (s3.mode !== 'well') s3.unserved += 1
    if (s3.mode === 'gone') return void request.destroy()
    if (s3.mode === 'silent') return
    if (s3.mode === 'failing') return void response.writeHead(500).end()
    const [status, body, headers] = await answer(s3, request)
    response.writeHead(status, { 'content-length': Buffer.byteLength(body ?? ''), ...headers }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const s3: S3 = {
    url: `s3://key:sec%2Fret@127.0.0.1:${port}/bucket?region=eu-1&tls=off`,
    blobs,
    uploads,
    mode: 'well',
    unserved: 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return s3
}

type Answer = [status: number, body?: string | Buffer, headers?: Record<string, string>]

async function answer({ blobs, uploads }: S3, request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
  const key = decodeURIComponent(pathname.replace(/^\/bucket\/?/, ''))
  const body = await buffer(request)
  const upload = uploads.get(searchParams.get('uploadId') ?? '')
  const blob = blobs.get(key)
  switch (request.method) {
    case 'POST':
      if (searchParams.has('uploads')) {
        uploads.set('up-1', [])
        return [200, '<InitiateMultipartUploadResult><UploadId>up-1</UploadId></InitiateMultipartUploadResult>']
      }
      blobs.set(key, Buffer.concat(upload ?? []))
      uploads.clear()
      return [200, '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>']
    case 'PUT':
      if (upload) upload.push(body)
      else blobs.set(key, body)
      return [200, '', { etag: '"e"' }]
    case 'DELETE':
      if (upload) uploads.clear()
      else blobs.delete(key)
      return [204]
    default: {
      if (searchParams.get('list-type') === '2') {
        const found = [...blobs].filter(([each]) => each.startsWith(searchParams.get('prefix') ?? ''))
        const items = found.map(
          ([each, { length }]) =>
            `<Contents><Key>${each}</Key><Size>${length}</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
        )
        return [200, `<ListBucketResult><IsTruncated>false</IsTruncated>${items.join('')}</ListBucketResult>`]
      }
      if (!blob) return [404, request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>']
      const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '')
      if (!range) return [200, blob]
      const cut = blob.subarray(Number(range[1]), Number(range[2]) + 1)
      return [206, cut, { 'content-range': `bytes ${range[1]}-${range[2]}/${blob.length}` }]
    }
  }
}
