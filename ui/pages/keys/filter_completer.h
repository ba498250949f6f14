// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/filter/filter_completion.h"

#include <QObject>

class QCompleter;
class QLineEdit;
class QStandardItemModel;

namespace idemdesk::models {
class KeyBrowserController;
}

namespace idemdesk::ui {

/// What could stand at the cursor of a filter text, in a popup below the field: names of fields, states, and values
/// that occur in the table, which come when the server has answered.
class FilterCompleter final : public QObject
{
    Q_OBJECT

public:
    FilterCompleter(models::KeyBrowserController *browser, QLineEdit *edit);

    void complete();
    void close(); ///< for good: values that are still asked for come too late
    bool isOpen() const;

signals:
    void inserted(); ///< a candidate was put into the field

private:
    void offer(const QStringList &candidates);
    void insert(const QString &candidate);

    models::KeyBrowserController *m_browser;
    QLineEdit *m_edit;
    QCompleter *m_completer;
    QStandardItemModel *m_candidates;
    models::FilterCompletion m_completion;
    quint64 m_ticket = 0;
};

} // namespace idemdesk::ui
