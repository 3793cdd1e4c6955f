import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

// npm on an older Node leaves out packages that ask for a newer one, although the tests run on the one that npm brought:
// the chain for the tests of Ethereum is such a package. Here npm itself runs on the newer one, and completes them.

const require = createRequire(createRequire(import.meta.url).resolve('hardhat'))

if (!isComplete()) {
  console.log('The Ethereum chain for the tests is missing: npm completes the packages.')
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { stdio: 'inherit' })
  if (status !== 0 || !isComplete()) {
    console.error('It could not be installed: run `npm install` with Node 24.')
    process.exit(1)
  }
}

function isComplete(): boolean {
  const { status } = spawnSync(process.execPath, [
    '-e',
    `require(${JSON.stringify(require.resolve('@nomicfoundation/edr'))})`,
  ])
  return status === 0
}
