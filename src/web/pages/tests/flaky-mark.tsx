/** Said of a test that cannot be relied on. */
export function FlakyMark() {
  return (
    <span className="tag hold" title="It passed and failed on one commit within the last two weeks">
      flaky
    </span>
  )
}
