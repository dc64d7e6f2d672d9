/* SPDX-License-Identifier: GPL-2.0 */
/* A button at each block copies it: of a session the commands, without prompts and output. */
(() => {
	const PROMPT = /^[#$] /;

	function count(text, pattern) {
		return (text.match(pattern) || []).length;
	}

	/* A quote, a loop or an operator at the end of a line continues a command. */
	function isOpen(command) {
		return count(command, /'/g) % 2 || /(\\|\||&&)$/.test(command) ||
			count(command, /\bdo$/gm) !== count(command, /^\s*done\b/gm);
	}

	function commandsOf(text) {
		const commands = [];
		let open = false;

		if (!PROMPT.test(text))
			return text;
		for (const line of text.split("\n")) {
			if (open)
				commands.push(commands.pop() + "\n" + line);
			else if (PROMPT.test(line))
				commands.push(line.replace(PROMPT, ""));
			else
				continue;
			open = isOpen(commands[commands.length - 1]);
		}
		return commands.join("\n") + "\n";
	}

	function addButton(block) {
		const button = document.createElement("button");

		button.className = "copy";
		button.textContent = "copy";
		button.onclick = async () => {
			const text = block.querySelector("pre").textContent;

			await navigator.clipboard.writeText(commandsOf(text));
			button.textContent = "copied";
			setTimeout(() => { button.textContent = "copy"; }, 2000);
		};
		block.append(button);
	}

	/* Browsers have a clipboard for https, localhost and files alone. */
	document.addEventListener("DOMContentLoaded", () => {
		if (navigator.clipboard)
			document.querySelectorAll("div.highlight").forEach(addButton);
	});
})();
