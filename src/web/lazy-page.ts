import { type ComponentType, lazy } from 'react'

/** A page that is loaded when it is first looked at. */
export const lazyPage = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))
