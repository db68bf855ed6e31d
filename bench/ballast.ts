/** Loaded before the program: makes the process hold a gigabyte, as a server does after a busy month. */
const blocks = Array.from({ length: 64 }, () => Buffer.alloc(16 * 1024 * 1024, 1))
setInterval(() => void blocks.length, 60_000).unref()
