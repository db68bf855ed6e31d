/** How long and how large things are kept; what an operator decides. */
export interface StorageTerms {
  readonly cacheDays: number
  readonly workspaceDays: number
  readonly artifactDays: number
  /** Of test results. */
  readonly testDays: number
  /** Of a cache or a layer as it is stored, and of all the files in it. */
  readonly mostStoredBytes: number
  readonly mostUnpackedBytes: number
  readonly mostArtifactBytes: number
}
