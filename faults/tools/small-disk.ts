import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** A disk of its own for a folder: memory that can be filled without filling anything else. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'keystall-faults', folder])
  return async () => {
    // Lazily: a process may need a moment to leave.
    execFileSync('umount', ['-l', folder])
  }
}

/** Why not, if not. */
export function whyNoMounts(): string | undefined {
  if (process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0) return undefined
  return 'a small disk needs the right to mount: run it as root'
}

const fillerName = 'filler'

/** Takes all that is left of the disk. */
export async function fillDisk(folder: string): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024)
  await using file = await open(join(folder, fillerName), 'a', 0o600)
  for (;;) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail === 0) return
    const isWritten = await file.write(chunk.subarray(0, Math.min(chunk.length, bavail * bsize))).then(
      () => true,
      () => false,
    )
    if (!isWritten) return
  }
}

export async function freeDisk(folder: string): Promise<void> {
  await rm(join(folder, fillerName), { force: true })
}
