import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** 32 MiB and some 60 ms for each guess; the numbers stand in front of the hash, so that they can grow. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const size = 32

/** What is kept of a password: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFKC'), salt, size, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether it is the password. Takes as long where there is none, so that nobody learns who has one. */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const parts = (kept ?? nobodys).split('$')
  const [form, N, r, p, salt = '', hash = ''] = parts.length === 6 ? parts : nobodys.split('$')
  const wanted = Buffer.from(hash, 'base64url')
  const options = { ...cost, N: Number(N), r: Number(r), p: Number(p) }
  const given = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), size, options)
  return (
    form === 'scrypt' &&
    wanted.length === size &&
    timingSafeEqual(given, wanted) &&
    kept !== undefined &&
    parts.length === 6
  )
}

const nobodys = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')
