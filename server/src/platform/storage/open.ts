import { join } from 'node:path'
import { createDiskStorage } from './disk.ts'
import { createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

export async function openStorage(settings: { storageUrl: URL | undefined; dataDir: string }): Promise<Storage> {
  if (settings.storageUrl) return createS3Storage(settings.storageUrl)
  return createDiskStorage(join(settings.dataDir, 'uploads'))
}
