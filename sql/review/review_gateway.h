// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/review.h"

#include <QList>

namespace idemdesk::sql {

/// The newest signed answer to each question about a table ("schema"."table", quoted); those of questions that this
/// version does not know, too. Where the console schema is missing or older that is an error.
Result<QList<ReviewAnswer>> readReview(Session &session, const QString &table);

/// Signs an answer by a row of the trail (idemdesk.sign_review); gives the row's number. Needs a session that may write
/// and a login that is a member of idemdesk_operator, idemdesk_approver or idemdesk_admin.
Result<qint64> signReview(Session &session, const ReviewSigning &signing);

} // namespace idemdesk::sql
