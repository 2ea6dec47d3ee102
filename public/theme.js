// Before the first paint: the visitor's own choice of theme, if there is one. The app writes the same key.
try { const theme = localStorage.getItem("turnwise.theme"); if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme; } catch { /* storage is closed: the system decides */ }
