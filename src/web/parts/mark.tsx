/** The mark: a roundhouse seen from above, its stalls open to the turntable, and the track that leads in. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path
        className="mark-house"
        d="M7.5 24.5A12 12 0 1 1 24.5 24.5"
        fill="none"
        strokeWidth="5"
        strokeDasharray="5.6 1.4"
      />
      <circle className="mark-table" cx="16" cy="16" r="5.5" fill="none" strokeWidth="1.75" />
      <path className="mark-track" d="M16 10.5V31" fill="none" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
