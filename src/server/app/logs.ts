import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { Refusal } from '#kit/refusal.ts'
import { jobById } from '#server/store/jobs.ts'
import type { LeaseRow } from '#server/store/leases.ts'
import { insertRange } from '#server/store/log-ranges.ts'
import { growLog, stepOf, type StepRow } from '#server/store/steps.ts'
import { checkHeld } from './held.ts'
import { pieceKey, spoolKey } from './log-keys.ts'
import { timesAt } from './log-times.ts'
import type { JobBodies } from './job-details.ts'
import { keepSteps, noteBegun } from './steps.ts'
import type { World } from './world.ts'

/** Below this a piece of a log is a row; above it, a blob: rows of 64 KB are written at a tenth of a file's speed. */
const mostInRow = 16 * 1024

const nameOf = (lease: LeaseRow, step: number) => ({ job: lease.job_id, node: lease.node, step })

/** The bytes of one request, as they arrive. */
export interface Piece {
  readonly start: number
  readonly size: number
  readonly bytes: Readable
  /** When they were seen, as an agent tells it. */
  readonly times?: string | undefined
}

/** Where a log ends, for an agent that believed otherwise. */
export class WrongOffset extends Error {
  override readonly name = 'WrongOffset'
  readonly offset: number
  constructor(offset: number) {
    super(`The log has ${offset} bytes`)
    this.offset = offset
  }
}

/** Appends a piece to the log of a step. Durable when it resolves; the same piece again is answered with the offset. */
export async function appendLog(
  world: World,
  bodyOf: JobBodies,
  lease: LeaseRow,
  index: number,
  piece: Piece,
): Promise<number> {
  const step =
    (await stepOf(world.db, lease.job_id, index, lease.node)) ?? (await openStep(world, bodyOf, lease, index))
  if (piece.start !== step.log_size) {
    piece.bytes.resume()
    throw new WrongOffset(step.log_size)
  }
  const end = piece.start + piece.size
  const growing = { job: lease.job_id, node: lease.node, position: index }
  const kept =
    piece.size > mostInRow
      ? await keepBlob(world, lease, index, piece, step.log_crc)
      : await keepBytes(piece, step.log_crc)
  const grown = await world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, lease)
    if (!(await growLog(tx, { ...growing, from: piece.start, size: end, crc: kept.crc }))) return false
    await insertRange(tx, {
      job_id: lease.job_id,
      node: lease.node,
      step: index,
      start: piece.start,
      size: piece.size,
      bytes: kept.bytes,
      at: null,
      times: timesAt(piece.times, world.now()),
    })
    return true
  })
  if (!grown) throw new WrongOffset((await stepOf(world.db, lease.job_id, index, lease.node))?.log_size ?? 0)
  world.bell.ring(`log:${lease.job_id}`)
  return end
}

/** Bytes that stand in a file of the agent. */
export interface Window {
  readonly start: number
  readonly size: number
  readonly folder: string
  readonly at: number
  readonly crc: number
  readonly times?: string | undefined
}

/**
 * Appends to the log of a step what an agent on our own disk shows us: the file becomes a blob of ours by a link, and not a byte is copied.
 * The agent vouches that this part of it needs no masking; other parts of the file are never read.
 */
export async function showLog(
  world: World,
  bodyOf: JobBodies,
  lease: LeaseRow,
  index: number,
  window: Window,
): Promise<number> {
  const folder = world.foldersOf(lease.agent_id)
  const step =
    (await stepOf(world.db, lease.job_id, index, lease.node)) ?? (await openStep(world, bodyOf, lease, index))
  if (window.start !== step.log_size) throw new WrongOffset(step.log_size)
  const path = folder === undefined ? undefined : join(folder, window.folder, `step-${index}.out`)
  if (path === undefined || !(await world.blobs.adopt(spoolKey(nameOf(lease, index)), path))) {
    throw new Refusal('conflict', 'Cannot look into the files of this agent: send the bytes')
  }
  const end = window.start + window.size
  const growing = { job: lease.job_id, node: lease.node, position: index }
  const row = {
    job_id: lease.job_id,
    node: lease.node,
    step: index,
    start: window.start,
    size: window.size,
    bytes: null,
    at: window.at,
    times: timesAt(window.times, world.now()),
  }
  const grown = await world.db.transaction().execute(async (tx) => {
    await checkHeld(tx, lease)
    if (!(await growLog(tx, { ...growing, from: window.start, size: end, crc: window.crc }))) return false
    await insertRange(tx, row)
    return true
  })
  if (!grown) throw new WrongOffset((await stepOf(world.db, lease.job_id, index, lease.node))?.log_size ?? 0)
  world.bell.ring(`log:${lease.job_id}`)
  return end
}

/** Output can arrive before the report that the step began. */
async function openStep(world: World, bodyOf: JobBodies, lease: LeaseRow, index: number): Promise<StepRow> {
  const job = await jobById(world.db, { id: lease.job_id })
  const body = job && (await bodyOf(job))
  if (!body?.steps[index]) throw new Refusal('not-found', 'Step not found.')
  const state = { index, status: 'running', startedAt: world.now(), endedAt: null, exitCode: null, logSize: null }
  await world.db.transaction().execute(async (tx) => {
    await keepSteps(tx, lease, body, [state])
    await noteBegun(world, tx, lease)
  })
  const step = await stepOf(world.db, lease.job_id, index, lease.node)
  if (!step) throw new Refusal('not-found', 'Step not found.')
  return step
}

interface Kept {
  readonly bytes: Uint8Array | null
  readonly crc: number
}

async function keepBytes(piece: Piece, before: number): Promise<Kept> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of piece.bytes as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > piece.size) break
    chunks.push(chunk)
  }
  if (size !== piece.size)
    throw new Refusal('invalid', `Cannot append to the log as its range has ${piece.size} bytes: ${size} came`)
  const bytes = Buffer.concat(chunks)
  return { bytes, crc: crc32(bytes, before) }
}

async function keepBlob(world: World, lease: LeaseRow, index: number, piece: Piece, before: number): Promise<Kept> {
  let crc = before
  let size = 0
  // On their way into the blob: whoever listens beside a stream sets it flowing before its reader is there.
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of piece.bytes as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc)
      size += chunk.length
      if (size > piece.size) return
      yield chunk
    }
  }
  await world.blobs.put(pieceKey(nameOf(lease, index), piece.start), Readable.from(counted(), { objectMode: false }))
  if (size !== piece.size)
    throw new Refusal('invalid', `Cannot append to the log as its range has ${piece.size} bytes: ${size} came`)
  return { bytes: null, crc }
}
