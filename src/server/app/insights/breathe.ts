/** Lets others have their turn: counting tens of thousands of runs takes a while. */
export const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
