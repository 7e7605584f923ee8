#!/usr/bin/env node
// Not the bundle itself: npm links a command only when its file is there, and dist is not before the first build.
import "../dist/bundle/cli.js"
