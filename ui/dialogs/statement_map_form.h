// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_map.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace idemdesk::ui {

/// Which column of a provider's statement means what, to be chosen.
class StatementMapForm final : public QWidget
{
    Q_OBJECT

public:
    explicit StatementMapForm(QWidget *parent);

    /// What can be chosen. typed: other names may be typed, too, as of JSON, where a pointer leads deeper.
    void setColumns(const QStringList &columns, bool typed);
    void setMap(const models::StatementMap &map); ///< without the signal
    models::StatementMap map() const;
    /// What is wrong with it, in a sentence; empty: nothing.
    QString fault() const;
    void focusFirst();

signals:
    void changed(); ///< by a person

private:
    QComboBox *addColumn(
        const QString &objectName, const QString &name, const QString &none, QWidget *beside = nullptr);
    QLineEdit *addLine(const QString &objectName, const QString &hint);

    QFormLayout *m_form;
    QComboBox *m_kind; ///< how amounts are written
    QLineEdit *m_code;
    QCheckBox *m_utc;
    QLineEdit *m_happened;
    QLineEdit *m_failed;
    QCheckBox *m_allHappened;
    QComboBox *m_reference;
    QComboBox *m_amount;
    QComboBox *m_currency;
    QComboBox *m_time;
    QComboBox *m_state;
    QComboBox *m_id;
};

} // namespace idemdesk::ui
