// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QFormLayout;
class QLineEdit;

namespace idemdesk::ui {

/// Why something is done, as the trail keeps it: a reason, a ticket, and where it matters more a word to type.
class ReasonForm final : public QWidget
{
    Q_OBJECT

public:
    /// prefix: of the fields' object names. toType: must be typed as it stands; empty: nothing must.
    ReasonForm(const QString &prefix, const QString &toType, QWidget *parent);

    void fix(const QString &reason, const QString &ticket); ///< as they were approved; they stay
    void fill(const QString &reason, const QString &ticket); ///< as they were typed before
    void addChoice(QWidget *choice); ///< one more field, below
    QString reason() const;
    QString ticket() const;
    bool typed() const; ///< as it had to be
    bool complete() const { return !reason().isEmpty() && typed(); }
    const QList<QWidget *> &fields() const { return m_fields; } ///< in their order
    void focusFirst();

signals:
    void changed();

private:
    QLineEdit *addLine(const QString &objectName, const QString &label, const QString &hint);

    QString m_toType;
    QFormLayout *m_form;
    QList<QWidget *> m_fields;
    QLineEdit *m_reason;
    QLineEdit *m_ticket;
    QLineEdit *m_typed = nullptr;
};

} // namespace idemdesk::ui
