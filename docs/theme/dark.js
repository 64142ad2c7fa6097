// Light or dark: as the system says, unless the button was used.
(function () {
  const asked = localStorage.getItem("dark");
  const system = matchMedia("(prefers-color-scheme: dark)").matches;
  const set = (dark) => document.documentElement.classList.toggle("dark", dark);
  set(asked === null ? system : asked === "yes");
  const button = document.createElement("button");
  button.id = "dark-button";
  button.textContent = "light / dark";
  button.onclick = () => {
    const dark = !document.documentElement.classList.contains("dark");
    localStorage.setItem("dark", dark ? "yes" : "no");
    set(dark);
  };
  document.body.appendChild(button);
})();
