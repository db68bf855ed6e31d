const nothing = { properties: {} }

/**
 * Stands in for the maker of schemas when the pages are built. They read the types, methods and paths of the contract
 * and check nothing by it, so a browser need neither load the schemas (a quarter of the first script) nor make them.
 */
export const Type: object = new Proxy({}, { get: () => () => nothing })
