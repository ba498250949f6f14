// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeView;

namespace idemdesk::models {
struct PayloadText;
class JsonTreeModel;
class KeyDetailController;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// A row's payloads: the chosen one as a tree and as its exact text. A huge one is shown in part and saved whole to a
/// file.
class PayloadView final : public QWidget
{
    Q_OBJECT

public:
    explicit PayloadView(models::KeyDetailController *detail, QWidget *parent = nullptr);
    /// Takes what the controller knows now; the same value leaves what is unfolded as it is.
    void sync();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void layOut();
    void showChosen();
    void showPayload(const models::PayloadText &payload);
    void showNote(const QString &text);
    void saveValue();

    models::KeyDetailController *m_detail;
    models::JsonTreeModel *m_json;
    QComboBox *m_choice;
    QLabel *m_note;
    QPushButton *m_save;
    QTreeView *m_tree;
    QPlainTextEdit *m_text;
    QString m_shown; ///< which value: its row, its name and its text
};

} // namespace idemdesk::ui
