// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cache.h"
#include "sql/types/connection.h"

#include <QDialog>

class QFormLayout;
class QPushButton;

namespace idemdesk::ui {

class ReasonForm;

/// The last word before a claim is deleted from a cache: what stands there and what becomes of retries. A reason is
/// required. On a connection marked as production, or where nothing tells how old the claim is, a word must be typed.
/// Cancel is the default.
class ReleaseDialog final : public QDialog
{
    Q_OBJECT

public:
    /// leastAgeMs: of the claim; nothing: it cannot be told.
    ReleaseDialog(const sql::CachedEntry &seen, std::optional<qint64> leastAgeMs, const QString &connection,
        sql::Environment environment, QWidget *parent = nullptr);

    QString reason() const;
    QString ticket() const;

private:
    QFormLayout *factsOf(const sql::CachedEntry &seen, std::optional<qint64> leastAgeMs);

    ReasonForm *m_form;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
