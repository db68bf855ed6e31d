/** Seven stalls around the turntable, open where the track leads in. */
const stalls =
  'M6.1 27A14.8 14.8 0 0 1 1.57 19.29L7.08 18.23A9.2 9.2 0 0 0 9.7 22.71zM1.34 18.02A14.8 14.8 0 0 1 2.85 9.22L7.74 11.95A9.2 9.2 0 0 0 6.86 17.07zM3.49 8.09A14.8 14.8 0 0 1 10.32 2.33L12.29 7.58A9.2 9.2 0 0 0 8.33 10.92zM11.53 1.89A14.8 14.8 0 0 1 20.47 1.89L18.59 7.17A9.2 9.2 0 0 0 13.41 7.17zM21.68 2.33A14.8 14.8 0 0 1 28.51 8.09L23.67 10.92A9.2 9.2 0 0 0 19.71 7.58zM29.15 9.22A14.8 14.8 0 0 1 30.66 18.02L25.14 17.07A9.2 9.2 0 0 0 24.26 11.95zM30.43 19.29A14.8 14.8 0 0 1 25.9 27L22.3 22.71A9.2 9.2 0 0 0 24.92 18.23z'

/** The mark: a roundhouse seen from above, its turntable turned to one of the stalls. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-house" d={stalls} />
      <path className="mark-track" d="M14.6 23v8M17.4 23v8" fill="none" strokeWidth="1.3" strokeLinecap="round" />
      <circle className="mark-table" cx="16" cy="16" r="5.6" fill="none" strokeWidth="1.6" />
      <path className="mark-bridge" d="M12.6 19.4l6.8-6.8" fill="none" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
