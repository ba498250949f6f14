-- SPDX-License-Identifier: GPL-3.0-or-later
SET LOCAL ROLE idemdesk_owner;
CREATE TABLE idemdesk.only_in_this_test (n integer);
RESET ROLE;
