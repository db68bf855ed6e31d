import type { Readable } from 'node:stream'
import type { Entry } from '#agent/archive/tar-parts.ts'

/** Takes the entries of an archive one after the other, each with its content behind it. What it is given it does not keep. */
export interface Sink {
  /** `head` are the headers as they stand in the archive. */
  entry(entry: Entry, head: Buffer): void
  content(bytes: Buffer): void
  /** Content of the archive that belongs to no file. */
  filling(bytes: Buffer): void
  /** Resolves when there is room for more. */
  ready(): Promise<void>
  /** Resolves when everything is where it belongs. */
  end(): Promise<void>
  /** Gives up; what is there stays. Never rejects. */
  break(error: Error): Promise<void>
}

/** How files with several names are packed: once, and then as links to that, or each as a file of its own. */
export type HardLinks = 'as-links' | 'as-files'

/** The files of a place, named by absolute paths as its commands see them. They are there until the place is destroyed. */
export interface PlaceFiles {
  /** They are files of this machine, and the job may write where the agent may: what the agent puts there it may write itself. */
  readonly direct?: true
  /**
   * What the patterns match below `root`, as paths relative to it, sorted, each once; a pattern without wildcards names a
   * file or a folder. Hidden files match only a dot that is written. Nothing matches where `root` does not exist.
   */
  find(root: string, patterns: readonly string[]): Promise<readonly string[]>

  /** A tar stream of the named paths (relative to `root`, folders with all they hold; an absolute one keeps its own name), read as it is made. */
  pack(root: string, paths: readonly string[], links?: HardLinks): Readable

  /** Unpacks a tar stream below `root`, which is made where it is missing. Entries are expected to have been checked by the caller. */
  unpack(root: string, archive: Readable): Promise<void>

  /** Unpacks below `root` what it is given, without a stream between. Missing where that is no quicker. */
  sink?(root: string): Sink
}
