/* SPDX-License-Identifier: GPL-2.0 */
/* Debian 12's furo does not follow the system's choice of dark or light */
if ((localStorage.getItem("theme") || "auto") === "auto" &&
    window.matchMedia("(prefers-color-scheme: dark)").matches)
	document.body.dataset.theme = "dark";
