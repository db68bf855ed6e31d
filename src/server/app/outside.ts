import ipaddr from 'ipaddr.js'

/** Ports on which something else than HTTP listens, and could be made to believe what we say: those that browsers refuse, too. */
const foreignPorts = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143
  161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045
  4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`
    .split(/\s+/)
    .map(Number),
)

/** Whether HTTP is a strange thing to speak at a port. */
export const isForeignPort = (port: number): boolean => foreignPorts.has(port)

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address is one that anybody on the internet could reach. Whatever is private, local, shared, reserved, documentation,
 * multicast, or another address in disguise (mapped, translated, tunnelled) is not; nor is what cannot be read as an address.
 */
export function isOutside(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.range() === 'unicast' && parsed.match(globalUnicast)
}
