/** What a container may use. */
export interface Limits {
  readonly cpus: number
  readonly memoryMiB: number
}

/** What a class of the docker executor gets (A4). An operator may say otherwise. */
const usual: Readonly<Record<string, Limits>> = {
  small: { cpus: 1, memoryMiB: 2048 },
  medium: { cpus: 2, memoryMiB: 4096 },
  'medium+': { cpus: 3, memoryMiB: 6144 },
  large: { cpus: 4, memoryMiB: 8192 },
  xlarge: { cpus: 8, memoryMiB: 16_384 },
  '2xlarge': { cpus: 16, memoryMiB: 32_768 },
  '2xlarge+': { cpus: 20, memoryMiB: 40_960 },
}

/** The limits of a resource class; none for one that is known neither to the operator nor to us. */
export function limitsOf(resourceClass: string, own: Readonly<Record<string, Limits>>): Limits | undefined {
  // Another processor, another generation: the same sizes.
  const plain = resourceClass.replace(/^arm\./, '').replace(/\.gen\d+$/, '')
  return own[resourceClass] ?? own[plain] ?? (Object.hasOwn(usual, plain) ? usual[plain] : undefined)
}

/** Reads limits as an operator writes them: `small=0.5/512M, acme/big=4/8G`. */
export function readLimits(text: string): Readonly<Record<string, Limits>> {
  const found: Record<string, Limits> = {}
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name, cpus, size, unit] = /^([^=]+)=(\d+(?:\.\d+)?)\/(\d+)([MG])$/.exec(entry) ?? []
    if (name === undefined || Number(cpus) === 0 || Number(size) === 0)
      throw new Error(`Cannot read the limits ${entry}: they must look like medium=2/4G or small=0.5/512M`)
    found[name] = { cpus: Number(cpus), memoryMiB: Number(size) * (unit === 'G' ? 1024 : 1) }
  }
  return found
}
