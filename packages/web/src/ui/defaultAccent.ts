/** The accent color of pages without their own, the same as `--accent` in `style/public.css`. */
export const defaultAccent = "#1f5f46"
