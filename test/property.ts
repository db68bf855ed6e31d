import fc from 'fast-check'

/**
 * What a property must hold for. A machine that says whether a change is good rolls the same dice each time: what they find
 * there is of this change. Elsewhere they are new for every run, and so find what nobody thought of.
 */
if (process.env['CI'] === 'true') fc.configureGlobal({ seed: 20_261_116 })

export { fc }
