/**
 * After so many files whoever reads or writes them without waiting lets others have their turn: 200,000 empty ones, a piece
 * of the archive at a time, kept heartbeats waiting for 180 ms on a busy machine.
 */
export const entriesATurn = 64
