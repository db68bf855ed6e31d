import { createHash } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const patience = 15 * 60_000

/** Does `work` while no other process of this user does anything under the same name. A holder that died is passed over. */
export async function withLock(name, work) {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `roundhouse-${userInfo().uid}-${hash}.lock`)
  const deadline = Date.now() + patience
  for (let said = false; !take(file); said = true) {
    if (Date.now() > deadline) throw new Error(`Another process has held ${file} for ${patience / 60_000} minutes`)
    if (!said) console.error(`Waiting for another process that does the same (${name}).`)
    await pause(100)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    pass(file)
    return false
  }
}

/** Removes the lock of a process that no longer lives. */
function pass(file) {
  const holder = read(file)
  if (holder === undefined || holder === '' || alive(Number(holder))) return
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    // Between reading and renaming another may have passed it over and taken it: then it goes back.
    if (read(aside) !== holder) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
