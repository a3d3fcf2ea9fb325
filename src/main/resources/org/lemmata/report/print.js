// On paper nothing can be opened; browsers that know no style for it get everything opened while they print.
let opened = [];
window.addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const each of opened) each.open = true;
});
window.addEventListener('afterprint', () => {
  for (const each of opened) each.open = false;
});
// A link into what is folded opens it.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target && target.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
};
window.addEventListener('hashchange', reveal);
reveal();
