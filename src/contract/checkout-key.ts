/** What a caller may call a checkout key: the last three are one kind. */
export const checkoutKeyRequests = ['deploy-key', 'vcs-user-key', 'github-user-key', 'user-key'] as const

/** What the service calls a checkout key: which of the last two is a matter of its dialect. */
export const checkoutKeyTypes = ['deploy-key', 'vcs-user-key', 'github-user-key'] as const

/** How a fingerprint is written in an answer; in a path either form is understood. */
export const digests = ['md5', 'sha256'] as const
