/**
 * Said on the screen, and not on the paper.
 *
 * @category views
 */
export const PrintHint = () => (
  <p class="soft small on-screen">
    Print this page (<kbd>Ctrl</kbd> <kbd>P</kbd>, or <kbd>⌘</kbd>{" "}
    <kbd>P</kbd>): the menu and this line stay off the paper.
  </p>
)
