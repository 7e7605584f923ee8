// The page about the widget shows it as another page would.
import "./widget.ts"
