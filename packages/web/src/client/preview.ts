// Shows the widget on its setup page.
import "./widget.ts"
