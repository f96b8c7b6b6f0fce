// Asks for the token, where the daemon wants one.

import { byId } from './dom.js';

/** @param given is called with what was typed */
export function askToken(wrong, given) {
  const dialog = byId('token-dialog');
  const input = byId('token');
  byId('token-wrong').hidden = !wrong;
  if (dialog.open) {
    return;
  }
  // Without a token there is nothing behind the dialog.
  dialog.oncancel = (event) => event.preventDefault();
  byId('token-form').onsubmit = () => {
    given(input.value.trim());
    input.value = '';
  };
  dialog.showModal();
}
