import * as contract from '@keystall/contract/endpoints/file-uploads'
import { useEffect, useRef, useState } from 'react'
import { failureOf, send } from '../api.ts'
import { sendUpload } from '../upload.ts'
import { type ProductPath, reloadProducts } from './products.ts'

const partBytes = 8 * 2 ** 20
const triesMax = 4

export type UploadState =
  | { phase: 'idle' }
  | { phase: 'sending' | 'paused'; file: File; sentBytes: number; failure?: string }

/** Sends a product's file in parts: it can be paused, and goes on where it stopped, also on another day. */
export function useFileUpload(path: ProductPath) {
  const [state, setState] = useState<UploadState>({ phase: 'idle' })
  const stopping = useRef<AbortController>(undefined)
  const { phase } = state

  useEffect(() => () => stopping.current?.abort(), [])
  useEffect(() => {
    if (phase !== 'sending') return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [phase])

  async function start(file: File) {
    const controller = new AbortController()
    stopping.current = controller
    const { signal } = controller
    setState({ phase: 'sending', file, sentBytes: 0 })
    try {
      let upload = await open(path, file)
      for (let tries = 0; upload.fileId === null; ) {
        try {
          const { id, receivedBytes } = upload
          const progress = (bytes: number) =>
            signal.aborted || setState({ phase: 'sending', file, sentBytes: receivedBytes + bytes })
          progress(0)
          const part = file.slice(receivedBytes, receivedBytes + partBytes)
          const sent = { file: part, fileName: 'part', query: { offset: receivedBytes }, onProgress: progress, signal }
          upload = (await sendUpload(contract.sendFilePart, { path: { ...path, uploadId: id }, ...sent })).data
          tries = 0
        } catch (error) {
          tries += 1
          if (signal.aborted || tries >= triesMax || !isPassing(error)) throw error
          await pause(tries)
          upload = await open(path, file)
        }
      }
      forget(path)
      setState({ phase: 'idle' })
      await reloadProducts(path.storeId)
    } catch (error) {
      if (signal.aborted) return
      const { message, invalidFields } = failureOf(error)
      const reasons = invalidFields.map(({ fieldName, reason }) => `${fieldName} ${reason}`).join(', ')
      setState((before) => ({
        phase: 'paused',
        file,
        sentBytes: 'sentBytes' in before ? before.sentBytes : 0,
        failure: reasons || message,
      }))
    }
  }

  return {
    state,
    start,
    pause: () => {
      stopping.current?.abort()
      setState((before) => ('file' in before ? { ...before, phase: 'paused' } : before))
    },
    cancel: async () => {
      stopping.current?.abort()
      setState({ phase: 'idle' })
      const known = remembered(path)
      forget(path)
      if (known) await send(contract.cancelFileUpload, { path: { ...path, uploadId: known.id } }).catch(() => undefined)
    },
  }
}

/** The upload of this very file that was begun before, as far as it came; else a new one. */
async function open(path: ProductPath, file: File): Promise<contract.FileUpload> {
  const known = remembered(path)
  if (known?.mark === markOf(file)) {
    const found = await send(contract.getFileUpload, { path: { ...path, uploadId: known.id } }).catch(
      (error: unknown) => {
        if (failureOf(error).code === 'NotFound') return undefined
        throw error
      },
    )
    if (found && found.data.fileId === null) return found.data
  }
  const { data } = await send(contract.beginFileUpload, { path, body: { fileName: file.name, bytes: file.size } })
  remember(path, { id: data.id, mark: markOf(file) })
  return data
}

/** Worth another try: the line broke, or another part came first. */
function isPassing(error: unknown) {
  return ['Unreachable', 'Unavailable', 'ObjectConflict'].includes(failureOf(error).code)
}

function pause(tries: number) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries))
}

interface Remembered {
  id: string
  mark: string
}

const placeOf = ({ productId }: ProductPath) => `upload/${productId}`

function markOf({ name, size, lastModified }: File) {
  return `${size}/${lastModified}/${name}`
}

function remembered(path: ProductPath): Remembered | undefined {
  try {
    const { id, mark } = Object(JSON.parse(localStorage.getItem(placeOf(path)) ?? 'null'))
    return typeof id === 'string' && typeof mark === 'string' ? { id, mark } : undefined
  } catch {
    return undefined
  }
}

function remember(path: ProductPath, upload: Remembered) {
  try {
    localStorage.setItem(placeOf(path), JSON.stringify(upload))
  } catch {
    // Without storage an upload can be gone on with as long as the page is open.
  }
}

function forget(path: ProductPath) {
  try {
    localStorage.removeItem(placeOf(path))
  } catch {
    // As above.
  }
}
