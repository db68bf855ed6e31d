/** A thread beside the server, for loops that would hold it up: how it begins, ends and fails is the same for all. */
export { type SideAnswer, type SideQuestion, sideThread } from '#server/store/side-thread.ts'
