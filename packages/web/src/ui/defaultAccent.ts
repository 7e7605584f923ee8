/** The accent color for pages that do not set one, the same as `--accent` in `style/public.css`. */
export const defaultAccent = "#1f5f46"
