import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { createMeasure } from './measure.ts'
import { checkKey, type Storage, type StoredBlob, StorageUnavailable } from './storage.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** Every part but the last must have 5 MiB at least; 10,000 of these are 80 GiB. */
const partBytes = 8 * 1024 * 1024

/** `s3://accessKey:secret@host:port/bucket?region=eu-1&tls=off`. The SDK is loaded with the first request. */
export function createS3Storage(url: URL): Storage {
  const bucket = decodeURIComponent(url.pathname.slice(1))
  let loading: Promise<{ sdk: Sdk; client: S3Client }> | undefined

  function connect() {
    loading ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: createClient(sdk, url) }))
    return loading
  }

  async function put(key: string, stream: Readable, { bytesMax }: { bytesMax: number }): Promise<StoredBlob> {
    checkKey(key)
    const { sdk, client } = await connect()
    const measure = createMeasure(bytesMax)
    stream.on('error', (error) => measure.stream.destroy(error))
    stream.on('close', () => {
      if (!stream.readableEnded) measure.stream.destroy(new Error('the upload was cut'))
    })
    let uploadId: string | undefined
    const done: { ETag: string | undefined; PartNumber: number }[] = []
    try {
      for await (const { body, isLast } of partsOf(stream.pipe(measure.stream))) {
        if (isLast && uploadId === undefined) {
          await asked(client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body })))
          return measure.result()
        }
        if (uploadId === undefined) {
          const begun = await asked(client.send(new sdk.CreateMultipartUploadCommand({ Bucket: bucket, Key: key })))
          uploadId = begun.UploadId
        }
        const PartNumber = done.length + 1
        const upload = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber, Body: body }
        const { ETag } = await asked(client.send(new sdk.UploadPartCommand(upload)))
        done.push({ ETag, PartNumber })
      }
      const whole = { Bucket: bucket, Key: key, UploadId: uploadId, MultipartUpload: { Parts: done } }
      await asked(client.send(new sdk.CompleteMultipartUploadCommand(whole)))
      return measure.result()
    } catch (error) {
      stream.destroy()
      const upload = { Bucket: bucket, Key: key, UploadId: uploadId }
      // Best effort: a lifecycle rule of the bucket takes what is left when the storage is away.
      if (uploadId !== undefined) await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  return {
    put,

    async read(key, range) {
      checkKey(key)
      const { sdk, client } = await connect()
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await asked(
        client
          .send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ...(Range ? { Range } : {}) }))
          .catch(undefinedIfMissing),
      )
      if (!(found?.Body instanceof Readable)) return undefined
      const total = found.ContentRange?.split('/')[1]
      return { stream: found.Body, bytes: total === undefined ? (found.ContentLength ?? 0) : Number(total) }
    },

    async remove(key) {
      checkKey(key)
      const { sdk, client } = await connect()
      const removal = client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }))
      await asked(removal.catch(undefinedIfMissing))
    },

    async exists(key) {
      checkKey(key)
      const { sdk, client } = await connect()
      const head = client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }))
      return (await asked(head.catch(undefinedIfMissing))) !== undefined
    },

    async *list(prefix) {
      const { sdk, client } = await connect()
      let next: string | undefined
      do {
        const query = { Bucket: bucket, Prefix: prefix, ...(next ? { ContinuationToken: next } : {}) }
        const page = await asked(client.send(new sdk.ListObjectsV2Command(query)))
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, modifiedAt: LastModified ?? new Date() }
        }
        next = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (next)
    },

    // A lifecycle rule of the bucket takes them.
    removeLeftOvers: async () => {},
  }
}

function createClient(sdk: Sdk, url: URL): S3Client {
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
  return new sdk.S3Client({
    endpoint: `${scheme}://${url.host}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    credentials: { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) },
    forcePathStyle: true,
    // Many storages know no checksum trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  })
}

/** Nothing of the source is read while a part travels, so memory holds two parts at most. */
async function* partsOf(stream: Readable): AsyncGenerator<{ body: Buffer; isLast: boolean }> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (bytes >= partBytes) {
      yield { body: Buffer.concat(chunks), isLast: false }
      chunks = []
      bytes = 0
    }
    chunks.push(chunk)
    bytes += chunk.length
  }
  yield { body: Buffer.concat(chunks), isLast: true }
}

/** Whatever the storage refuses is not the caller's fault: keys and sizes were checked before. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw new StorageUnavailable(error)
  })
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)) return undefined
  throw error
}
