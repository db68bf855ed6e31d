import type { LogName } from '#server/store/log-ranges.ts'

/** Where the blobs of a log lie; those of the first node where they lay when there was no other. */
export const logPath = ({ job, node, step }: LogName): string =>
  node === 0 ? `${job}/${step}` : `${job}/node-${node}/${step}`

/** The blob that holds a large piece of a log while it is being written. */
export const pieceKey = (log: LogName, start: number): string => `live/${logPath(log)}/${start}`

/** The blob that is the agent's file. */
export const spoolKey = (log: LogName): string => `live/${logPath(log)}/spool`
